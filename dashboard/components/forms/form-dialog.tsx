/** A dialog around a form: its buttons, and what belongs to no field. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { FormError } from './fields.tsx';
import type { Form } from './use-form.ts';

interface FormDialogProps {
  readonly title: string;
  readonly form: Form;
  /** The button that sends it. */
  readonly submit: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function FormDialog({ title, form, submit, onClose, children }: FormDialogProps) {
  const id = useId();
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      mustBeClosed
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" form={id} isBusy={form.isBusy}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={id} class="form" onSubmit={form.submit}>
        <FormError form={form} />
        {children}
      </form>
    </Dialog>
  );
}
