import { createHmac, hash } from 'node:crypto';

/** Of SHA-256. */
const blockBytes = 64;
const hashBytes = 32;
/** A longer message is hashed where it lies: copying it would cost more than a hash by one call saves. */
const longestCopied = 8192;

/**
 * A secret that signs many messages with HMAC-SHA256. What RFC 2104 makes of the key is made once, and each of
 * the two hashes is one call: half the time of `createHmac` for a message of 1 KB.
 */
export class SigningKey {
  readonly #secret: string;
  /** The inner pad, and behind it the message. */
  readonly #inner = Buffer.alloc(blockBytes + longestCopied, 0x36);
  /** The outer pad, and behind it the inner hash. */
  readonly #outer = Buffer.alloc(blockBytes + hashBytes, 0x5c);

  /** @param secret keyed by its UTF-8 bytes */
  constructor(secret: string) {
    this.#secret = secret;
    const bytes = Buffer.from(secret);
    const key = bytes.length > blockBytes ? hash('sha256', bytes, 'buffer') : bytes;
    key.forEach((byte, at) => {
      this.#inner[at] = byte ^ 0x36;
      this.#outer[at] = byte ^ 0x5c;
    });
  }

  /**
   * The HMAC of the start and the body as one message: 32 bytes.
   * @param start one character a byte
   */
  digest(start: string, body: Uint8Array): Buffer {
    const bytes = start.length + body.length;
    // A key given as text is taken as UTF-8; one given as a Buffer costs five times as much, for its KeyObject.
    if (bytes > longestCopied) {
      return createHmac('sha256', this.#secret).update(start, 'latin1').update(body).digest();
    }
    this.#inner.write(start, blockBytes, 'latin1');
    this.#inner.set(body, blockBytes + start.length);
    // A string is handed over in less time than a Buffer; `binary` keeps its bytes.
    const inner = hash('sha256', this.#inner.subarray(0, blockBytes + bytes), 'binary');
    this.#outer.write(inner, blockBytes, 'binary');
    return hash('sha256', this.#outer, 'buffer');
  }
}
