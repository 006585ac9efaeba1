/** How much there is room for while little is held, in bytes. */
const ROOM = 4096;

/** Bytes that come in pieces, as one. */
export interface ByteBuffer {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** Lets all of them be used, and returns what comes of it; the buffer is empty then. */
  take<T>(use: (bytes: Uint8Array<ArrayBuffer>) => T): T;
  /** Forgets all of them; their memory is free at once. */
  clear(): void;
}

/**
 * Makes an empty buffer for up to `limit` bytes.
 *
 * It grows where it stands, over addresses that are set aside: to copy what it has into a larger
 * one takes three times as long for 100 MB, nearly all of it for memory that was never used before.
 */
export function createByteBuffer(limit: number): ByteBuffer {
  let room = new ArrayBuffer(ROOM);
  let length = 0;

  function grow(needed: number): void {
    if (!room.resizable) {
      const small = new Uint8Array(room, 0, length);
      room = new ArrayBuffer(needed, { maxByteLength: Math.max(limit, needed) });
      new Uint8Array(room).set(small);
    }
    room.resize(Math.max(needed, Math.min(room.byteLength * 2, limit)));
  }

  function clear(): void {
    length = 0;
    if (!room.resizable) return;
    room.resize(0);
    room = new ArrayBuffer(ROOM);
  }

  return {
    get length() {
      return length;
    },
    append(bytes) {
      const needed = length + bytes.length;
      if (needed > room.byteLength) grow(needed);
      new Uint8Array(room, length, bytes.length).set(bytes);
      length = needed;
    },
    take(use) {
      const result = use(new Uint8Array(room, 0, length));
      clear();
      return result;
    },
    clear,
  };
}
