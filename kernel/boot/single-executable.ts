import { createRequire } from 'node:module'

/**
 * Whether this program is an executable that contains Node (`npm run single-file`). It cannot start Node with flags, and so no
 * process under Node's permission model.
 */
export function isSingleExecutable(): boolean {
  try {
    const { isSea } = createRequire(import.meta.url)('node:sea')
    return isSea() === true
  } catch {
    // Before Node 20.12 there is no such module, and such an executable cannot be made.
    return false
  }
}
