import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for one test. `remove` is harmless when called twice. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'orch-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
