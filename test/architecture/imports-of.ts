import { posix } from 'node:path'
import { scanCode } from './scan-code.js'
import type { Source } from './sources.js'

/** What a file imports: `node:fs`, a package (`orch/sdk`, `lmdb`), or a file of ours as its path from the top. */
export function importsOf({ path, text }: Source): string[] {
  const { statements } = scanCode(text)
  const forms = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])([^'"\n]+)\1/g
  return [...statements.matchAll(forms)].map(([, , specifier = '']) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts') : specifier,
  )
}
