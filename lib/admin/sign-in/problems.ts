/** Why a sign-in at the issuer came to nothing. The page of the dashboard gets the name in its address, and shows the text. */
export const signInProblems = {
  not_started: 'This sign-in was not started here, or took longer than ten minutes. Sign in again.',
  refused: 'The sign-in was refused or given up.',
  failed:
    'The sign-in failed. Try again; if it fails again, an operator finds the reason in the log of the gateway.',
  no_role: 'You have signed in, but have no role here. Ask an operator of the gateway to invite you.',
  unavailable:
    'Signing in is not possible at the moment, because the issuer does not answer. Try again later.',
} as const;

export type SignInProblem = keyof typeof signInProblems;

/** The parameter of the dashboard's address. */
export const problemParameter = 'sign_in_problem';
