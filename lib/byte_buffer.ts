/** How much there is room for while little is held, in bytes. */
const ROOM = 4096;
/** How much is copied at the most, in bytes. */
const MOST_COPIED = 1024 * 1024;

/** Bytes that come in pieces, as one. */
export interface ByteBuffer {
  readonly length: number;
  /** Adds bytes; together there are never more than the limit. */
  append(bytes: Uint8Array): void;
  /** Lets all of them be used, and returns what comes of it; the buffer is empty then. */
  take<T>(use: (bytes: Uint8Array<ArrayBuffer>) => T): T;
  /** Gives them away as they stand; the buffer is empty then. */
  release(): Uint8Array<ArrayBuffer>;
  /** Forgets all of them; their memory is free at once. */
  clear(): void;
}

/**
 * Makes an empty buffer for up to `limit` bytes.
 *
 * Once it is large, it grows where it stands, over addresses that are set aside: to be copied again
 * and again would take three times as long for 100 MB, nearly all of it for memory that was never
 * used before. To set them aside takes as long as to copy some 100 KB, so a small one is copied.
 */
export function createByteBuffer(limit: number): ByteBuffer {
  let room = new ArrayBuffer(ROOM);
  let length = 0;

  function grow(needed: number): void {
    const size = Math.max(needed, Math.min(room.byteLength * 2, limit));
    if (room.resizable) return room.resize(size);
    const smaller = new Uint8Array(room, 0, length);
    room = size > MOST_COPIED
      ? new ArrayBuffer(size, { maxByteLength: limit })
      : new ArrayBuffer(size);
    new Uint8Array(room).set(smaller);
  }

  function clear(): void {
    length = 0;
    if (room.resizable) room.resize(0);
    if (room.byteLength !== ROOM) room = new ArrayBuffer(ROOM);
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
      try {
        return use(new Uint8Array(room, 0, length));
      } finally {
        clear();
      }
    },
    release() {
      if (room.resizable) room.resize(length);
      const bytes = new Uint8Array(room, 0, length);
      room = new ArrayBuffer(ROOM);
      length = 0;
      return bytes;
    },
    clear,
  };
}
