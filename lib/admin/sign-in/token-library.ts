/** What is used of the library for tokens: a bundle has nothing else of it. */
export { createLocalJWKSet, errors, jwtVerify } from 'jose';
