import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreMaintenance } from 'orch/sdk/host'
import { type Finding, fine, wrong } from '../finding.js'

const restore = 'Bring back a backup: orch storage restore FILE, with the server stopped; docs/operate.md says more'

/** Checks whether the store can be read, and which processes have it open. With `isDeep` every object is read. */
export async function checkStore(
  dataDir: string,
  maintenance: StoreMaintenance,
  isDeep: boolean,
): Promise<{ findings: Finding[]; serverPid: number | undefined }> {
  if (!existsSync(join(dataDir, 'store')))
    return { findings: [fine('there is no store yet; the first start creates it')], serverPid: undefined }
  try {
    const { keys, revision, fileBytes, processes } = await maintenance.stats()
    const mebibytes = (fileBytes / 2 ** 20).toFixed(1)
    const size = fine(`the store has ${keys} objects at revision ${revision} in ${mebibytes} MiB`)
    return { findings: [size, ...(isDeep ? await verify(maintenance) : [])], serverPid: processes[0] }
  } catch (error) {
    return { findings: [wrong(`the store cannot be read: ${(error as Error).message}`, restore)], serverPid: undefined }
  }
}

async function verify(maintenance: StoreMaintenance): Promise<Finding[]> {
  const { problems, keys } = await maintenance.verify()
  if (problems.length === 0) return [fine(`all ${keys} objects can be read`)]
  return problems.map(problem => wrong(`in the store: ${problem}`, restore))
}
