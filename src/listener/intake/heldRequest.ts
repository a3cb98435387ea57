import { IncomingMessage } from 'node:http';

/** A request whose connection need not be read: its sender has to wait then. */
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

  /** Node has the connection read on by it, whenever it is ready for more. */
  override _read(size: number): void {
    if (!this.#isHeld) super._read(size);
  }
}
