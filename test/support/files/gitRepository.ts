import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A git repository in a temporary folder, or in an existing one. */
export class GitRepository {
  readonly folder: string;

  constructor(folder = mkdtempSync(join(tmpdir(), 'runhook-repository-'))) {
    this.folder = realpathSync(folder);
    this.git('init', '--quiet');
    this.git('config', 'user.name', 'Test');
    this.git('config', 'user.email', 'test@example.com');
  }

  /** @returns what git printed */
  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8', stdio: 'pipe' });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  /** Configures a program that git may run, which creates a file. @returns the file, which exists once git has run it */
  plantProgram(): string {
    const mark = this.path('.git/planted-ran');
    this.write('.git/planted', `#!/bin/sh\ntouch '${mark}'\nprintf 'x\\0/\\0'\n`);
    execFileSync('chmod', ['+x', this.path('.git/planted')]);
    const program = this.path('.git/planted');
    this.git('config', 'core.fsmonitor', program);
    this.git('config', 'core.sshCommand', program);
    this.git('config', 'diff.planted.textconv', program);
    this.git('config', 'filter.planted.clean', program);
    this.git('config', 'filter.planted.smudge', program);
    this.git('config', 'core.pager', program);
    rmSync(mark, { force: true });
    return mark;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
