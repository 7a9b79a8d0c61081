/** The id of a model, on one line. Where there is little room, without its owner. */
export function ModelName({ id }: { readonly id: string }) {
  const slash = id.indexOf('/') + 1;
  return (
    <span class="cut" title={id}>
      <span class="wide">{id.slice(0, slash)}</span>
      {id.slice(slash)}
    </span>
  );
}
