/** The device answered what no server may answer here. */
export class OddAnswer extends Error {
  override name = 'OddAnswer';
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Also what Node's parser refuses: `HPE_INVALID_STATUS` and the like. */
export const isOdd = (error: Error): boolean => error instanceof OddAnswer || ('code' in error && String(error.code).startsWith('HPE_'));
