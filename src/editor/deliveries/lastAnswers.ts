import type * as vscode from 'vscode';

const key = 'deliveries.lastAnswers';

/** What is asked again and again. */
type Question = 'replayAddress' | 'replayWay' | 'verificationTarget';

/** What was answered last in this workspace: it is offered first. */
export class LastAnswers {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  of(question: Question): string | undefined {
    return this.#all()[question];
  }

  async remember(question: Question, answer: string): Promise<void> {
    await this.#memento.update(key, { ...this.#all(), [question]: answer });
  }

  #all(): Partial<Record<Question, string>> {
    return this.#memento.get(key, {});
  }
}
