import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandContext } from 'orch/sdk'
import { openInsecurePort } from './insecure-port.js'
import { commonFlags, copyKeys, firstObjects, knownNames } from './prepared-data.js'
import { FlagError, readFlags } from './read-flags.js'
import { programs } from './reference-programs.js'
import { planServe, type ServePlan } from './serve-flags.js'
import { temporaryData } from './temporary-data.js'

/** Runs one server of a suite. `folder` has the programs, `own` are flags of `orch serve` for all servers. */
export async function runServer(
  folder: string,
  own: readonly string[],
  argv: readonly string[],
  { host, err, workingDir }: CommandContext,
): Promise<number> {
  let plan: ServePlan
  try {
    plan = planServe(readFlags(argv), knownNames(folder), workingDir)
  } catch (thrown) {
    if (!(thrown instanceof FlagError)) throw thrown
    err(`${programs.server}: ${thrown.message}\n`)
    return 1
  }
  for (const warning of plan.warnings) err(`${programs.server}: ${warning}\n`)
  const data = temporaryData()
  try {
    copyKeys(folder, data.path)
    const objects = plan.hasOtherFirstObjects ? [] : firstObjects(folder)
    const version = plan.version === undefined ? [] : [`--kubernetes-version=${plan.version}`]
    const flags = [...commonFlags, ...objects, ...plan.flags, ...own, ...version, `--data-dir=${data.path}`]
    return await host.serve(flags, {
      whenReady: ({ address, port }) => whenReady(plan, data.path, { address, port }, err),
    })
  } finally {
    data.remove()
  }
}

async function whenReady(
  plan: ServePlan,
  dataDir: string,
  server: { readonly address: string; readonly port: number },
  err: CommandContext['err'],
): Promise<void> {
  if (plan.certificatesInto !== undefined) writeCertificates(dataDir, plan.certificatesInto)
  if (!plan.insecure) return
  const { hostname: secureHost } = new URL(server.address)
  await openInsecurePort({ ...plan.insecure, secureHost, securePort: server.port, dataDir })
  err(`Serving insecurely on ${plan.insecure.host}:${plan.insecure.port}\n`)
}

function writeCertificates(dataDir: string, folder: string): void {
  const pki = (name: string) => readFileSync(join(dataDir, 'pki', name), 'utf8')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'apiserver.key'), pki('serving.key'), { mode: 0o600 })
  writeFileSync(join(folder, 'apiserver.crt'), `${pki('serving.crt')}${pki('ca.crt')}`)
}
