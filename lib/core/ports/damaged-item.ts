/** An item of the database that does not have the form with which it was written. Reading it again does not help. */
export class DamagedItem extends Error {
  override readonly name: string = 'DamagedItem';
}
