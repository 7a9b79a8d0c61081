/** What is used of the library for tokens: a bundle has nothing else of it. */
import { createLocalJWKSet, errors, jwtVerify } from 'jose';

export const tokenLibrary = { createLocalJWKSet, errors, jwtVerify };
