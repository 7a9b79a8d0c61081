/** For a process with an environment of its own: so it compiles nothing that another one of the run has compiled. */
export const compileCache = (): { readonly NODE_COMPILE_CACHE?: string } => {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
};
