/** What is used of the library for the flow: a bundle has nothing else of it. */
export {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  revocationRequest,
  validateAuthResponse,
} from 'oauth4webapi';
