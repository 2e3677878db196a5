import { type Packet, parser } from 'mqtt-packet';

const MAX_PACKET_BYTES = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

// A parser of mqtt-packet costs several KB. Fed with whole packets it keeps nothing between calls, so that one does for all connections.
const shared = parser({ protocolVersion: 4 });
let receive: (packet: Packet) => void = () => {};
shared.on('packet', (packet: Packet) => receive(packet));
shared.on('error', (error: unknown) => {
  throw error;
});

/** Cuts a stream into MQTT packets. */
export class PacketReader {
  private readonly onPacket: (packet: Packet) => void;
  private rest: Buffer = NOTHING;

  constructor(onPacket: (packet: Packet) => void) {
    this.onPacket = onPacket;
  }

  /** Takes what arrived and hands on the packets that are complete; throws when this is no MQTT. */
  read(chunk: Buffer): void {
    let bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    for (let size = packetSize(bytes); size !== undefined && size <= bytes.length; size = packetSize(bytes)) {
      receive = this.onPacket;
      shared.parse(Buffer.from(bytes.subarray(0, size)));
      bytes = bytes.subarray(size);
    }
    this.rest = bytes.length === 0 ? NOTHING : Buffer.from(bytes);
  }
}

/** The length of the packet that starts here, header included; `undefined` when too little has arrived to know (MQTT 3.1.1, 2.2.3). */
function packetSize(bytes: Buffer): number | undefined {
  let length = 0;
  for (let i = 1; i <= 4; i += 1) {
    const byte = bytes[i];
    if (byte === undefined) return undefined;
    length += (byte & 127) * 128 ** (i - 1);
    if (length > MAX_PACKET_BYTES) throw new Error('packet too large');
    if (byte < 128) return 1 + i + length;
  }
  throw new Error('no MQTT packet');
}
