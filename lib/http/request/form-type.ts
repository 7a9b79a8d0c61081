/** Whether a body is a form, by its Content-Type. */
import type { ReadHeader } from '../../core/endpoint.ts';

/** With the boundary in quotes, or without. */
export const formType = /^multipart\/form-data\s*;.*boundary=(?:"([^"]+)"|([^\s;]+))/i;

export const isForm = (header: ReadHeader): boolean => formType.test(header('content-type') ?? '');
