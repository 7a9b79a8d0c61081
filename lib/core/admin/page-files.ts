/** The files of the dashboard's page: their bytes by path, such as `index.html` and `assets/main-ABCDEFGH.js`. */
export type PageFiles = ReadonlyMap<string, Buffer>;
