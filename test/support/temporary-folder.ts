import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for one test. */
export interface Folder {
  readonly path: string
  /** Writes a file and returns its path. */
  write(name: string, contents: string): string
  /** Harmless when called twice. */
  remove(): void
}

export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'orch-test-'))
  return {
    path,
    write(name, contents) {
      const file = join(path, name)
      writeFileSync(file, contents, { mode: 0o600 })
      return file
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
