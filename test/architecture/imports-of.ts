import { posix } from 'node:path'
import { scanCode } from './scan-code.js'
import type { Source } from './sources.js'

/** The imports of a file: `node:fs`, a package (`orch/sdk`, `lmdb`), or one of our files as its path from the root. */
export function importsOf({ path, text }: Source): string[] {
  const { statements } = scanCode(text)
  const forms = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])([^'"\n]+)\1/g
  return [...statements.matchAll(forms)].map(([, , specifier = '']) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts') : specifier,
  )
}
