/** What rows of several groups have in common. */
export const withKey = { method: 'POST', authenticated: true } as const;

export const reading = { method: 'GET', authenticated: true, timeoutSeconds: 30 } as const;

/** Lambda's longest. */
export const longest = { timeoutSeconds: 900 } as const;
