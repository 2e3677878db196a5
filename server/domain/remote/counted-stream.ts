import { Duplex } from 'node:stream';

/** A connection whose bytes are counted: `sent` towards the device, `received` from it. Its end is the end of the connection, and the other way round. */
export function countedStream(inner: Duplex, count: (sent: number, received: number) => void): Duplex {
  const outer = new Duplex({
    // A tunnel leaves the other half open when a device has ended its own; nothing that goes through one has a use for that.
    allowHalfOpen: false,
    read() {
      inner.resume();
    },
    write(chunk: Buffer, _encoding, done) {
      count(chunk.length, 0);
      if (inner.write(chunk)) done();
      else waitForDrain(done);
    },
    final(done) {
      inner.end(() => done());
    },
    destroy(error, done) {
      inner.destroy();
      done(error);
    },
  });
  let drained: (() => void) | undefined;
  const waitForDrain = (done: () => void): void => {
    drained = done;
  };
  inner.on('drain', () => {
    const done = drained;
    drained = undefined;
    done?.();
  });
  inner.on('data', (chunk: Buffer) => {
    count(0, chunk.length);
    if (!outer.push(chunk)) inner.pause();
  });
  inner.on('end', () => outer.push(null));
  inner.on('error', (error: Error) => outer.destroy(error));
  inner.on('close', () => {
    // What was read and not taken yet is still to be read; an end that never came is one now.
    if (!inner.readableEnded) outer.push(null);
    const done = drained;
    drained = undefined;
    done?.();
    if (!outer.writableEnded) outer.end();
  });
  // What HTTP and TLS ask of every socket; the connection below has its own.
  const same = (): Duplex => outer;
  return Object.assign(outer, { setTimeout: same, setNoDelay: same, setKeepAlive: same, ref: same, unref: same });
}
