import { IncomingMessage } from 'node:http';

/** A request whose connection can be paused, which makes the sender wait. */
export class HeldRequest extends IncomingMessage {
  #isHeld = false;

  get isHeld(): boolean {
    return this.#isHeld;
  }

  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    if (isHeld) this.socket.pause();
    else this.socket.resume();
  }

  /** Node calls this when the stream is ready for more, which would resume the connection. */
  override _read(size: number): void {
    if (!this.#isHeld) super._read(size);
  }
}
