import { join } from 'node:path';
import { root, workFolder } from './checkout.ts';

/** A VS Code server with its web workbench, as the npm package code-server has it, and the Node that runs it. */
export interface ServerEdition {
  /** Of code-server: 4.139.1 holds VS Code 1.139.1. */
  version: string;
  /** What it is installed into. */
  folder: string;
  /** Of the Node that is installed beside it; without one the Node of the scripts runs it. */
  nodeVersion?: string;
  /** The logger, the watchdog and what else has no prebuilt binaries. */
  nativeModules: readonly string[];
  /** The version of the registry for a package that VS Code names by another place. */
  fromRegistry?: Readonly<Record<string, string>>;
}

/** The one of tests, tour and `npm start`. */
export const latestServer: ServerEdition = {
  version: '4.139.1',
  folder: join(workFolder, 'server'),
  nativeModules: ['@vscode/spdlog', '@vscode/native-watchdog'],
};

/** The oldest VS Code that `engines.vscode` allows, on the Node that it has. */
export const floorServer: ServerEdition = {
  version: '4.105.1',
  folder: join(workFolder, 'floor'),
  nodeVersion: '22.20.0',
  nativeModules: ['@vscode/spdlog', 'native-watchdog', 'node-pty'],
  fromRegistry: { '@parcel/watcher': '2.5.1' },
};

/** The package of the npm registry that holds the program and the headers of a Node, and nothing else. */
export const nodePackage = `node-${process.platform}-${process.arch}`;

/** Where things lie in an installed edition. */
export function filesOf({ folder, nodeVersion }: ServerEdition) {
  const codeServer = join(folder, 'node_modules', 'code-server');
  const vscode = join(codeServer, 'lib', 'vscode');
  const nodeFolder =
    nodeVersion === undefined
      ? join(root, 'node_modules', 'node', 'node_modules', nodePackage)
      : join(folder, 'node_modules', nodePackage);
  return {
    vscode,
    /** VS Code's own server: takes the flags of testing. */
    main: join(vscode, 'out', 'server-main.js'),
    /** code-server around it, which keeps secrets over a reload. */
    entry: join(codeServer, 'out', 'node', 'entry.js'),
    nodeFolder,
    node: nodeVersion === undefined ? process.execPath : join(nodeFolder, 'bin', 'node'),
  };
}
