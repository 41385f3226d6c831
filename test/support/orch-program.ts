import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('../..', import.meta.url))
/** The bundle with its code cache, as users have it. It starts in half the time. */
export const bundledProgram = join(dist, 'bundled/kernel/main.js')
/** Module by module, as compiled last. */
export const compiledProgram = join(dist, 'kernel/main.js')

const writtenAt = (file: string): number => statSync(join(dist, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
/** Whether the bundle is newer than the compiled modules. */
const isBundleCurrent = writtenAt('bundled/build.json') > writtenAt('.tsbuildinfo')

/** The program to start: the bundle, unless it is stale, or a configuration shares modules with the kernel. */
export const programFor = (flags: readonly string[]): string =>
  isBundleCurrent && !flags.some(flag => /^--config(=|$)/.test(flag)) ? bundledProgram : compiledProgram
