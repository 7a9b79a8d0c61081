/** Bounds of the seed. */

/** How long its permissions may take to arrive. */
export const permissionMs = 90_000;
