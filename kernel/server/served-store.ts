import { spawn } from 'node:child_process'
import type { BackupResult, ServedStore, StorageDefinition, Store } from 'orch/sdk/host'

export interface ServedStoreParts {
  readonly definition: StorageDefinition | undefined
  readonly store: Store
  readonly dataDir: string
  /** The command line of this program; undefined if it is embedded in another. */
  readonly program: readonly string[] | undefined
}

/** The service for plugins that maintain the store. */
export function servedStoreOf({ definition, store, dataDir, program }: ServedStoreParts): ServedStore {
  const maintain = definition?.maintain?.bind(definition)
  const backUp = async (folder: string, signal: AbortSignal): Promise<BackupResult> => {
    const words = ['storage', 'backup', folder, '--data-dir', dataDir, '--json']
    if (program) return JSON.parse(await outputOf([...program, ...words], signal)) as BackupResult
    const maintenance = await maintain!(dataDir)
    return maintenance.backup(folder)
  }
  return { engine: definition?.name ?? '', store, dataDir, backUp: maintain && backUp }
}

/** The output of a program. Rejects with its error output if it fails. */
function outputOf([command = '', ...words]: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], signal })
    let [output, complaint] = ['', '']
    child.stdout.on('data', chunk => (output += chunk))
    child.stderr.on('data', chunk => (complaint += chunk))
    child.once('error', reject)
    child.once('close', code => {
      if (code === 0) resolve(output)
      else reject(new Error(complaint.trim().replace(/^orch: /, '') || `it ended with exit code ${code}`))
    })
  })
}
