import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePki } from '../pki/ensure-pki.js'
import { frontProxyFiles } from '../pki/front-proxy.js'
import { makePrivateFolder } from '../pki/private-files.js'
import { bootOrThrow } from './boot-from-argv.js'
import type { Command, CommandLine } from './command-line.js'

interface CertsAction {
  /** Files of `pki/` that are replaced. */
  readonly replaces: readonly string[]
  readonly message: string
}

const pairs = (name: string) => [`${name}.crt`, `${name}.key`]
const proxy = pairs(frontProxyFiles.client)
const newAuthority: CertsAction = {
  replaces: [
    'ca.crt',
    'ca.key',
    'serving.crt',
    'admin.crt',
    'admin.key',
    ...pairs(frontProxyFiles.authority),
    ...proxy,
  ],
  message:
    'Created a new CA. Start the server, and distribute its pki/ca.crt and new client certificates to all clients.',
}
const actions: Readonly<Record<string, CertsAction>> = {
  renew: {
    replaces: ['serving.crt', 'admin.crt', 'admin.key', ...proxy],
    message: 'Renewed the certificates with the same CA; the next start writes the client config of the administrator.',
  },
  'rotate-ca': newAuthority,
  'new-ca': newAuthority,
  'new-serving-key': {
    replaces: ['serving.crt', 'serving.key', 'service-account.key', 'service-account.pub'],
    message: 'Created a new serving key. Tokens of service accounts signed with the old key are no longer valid.',
  },
}

const words = ['show', ...Object.keys(actions)]

/** `orch certs ...`: shows certificates, and renews what no server renews by itself. */
export const certsCommand: Command = {
  name: 'certs',
  usage: `certs ${words.join('|')} [flags]`,
  summary: 'Show certificates, or renew them or the CA, while no server is running. Replaced files are retained.',
  async run(line) {
    const [name = '', ...flags] = line.words
    if (name === 'show') return show(flags, line)
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action) {
      line.err(`orch: certs needs one of ${words.join(', ')}. See orch help.\n`)
      return 2
    }
    return await replace(name, action, flags, line)
  },
}

/** Shows every certificate of the data folder: its subject, issuer and validity. */
async function show(flags: readonly string[], line: CommandLine): Promise<number> {
  const { kernelOptions } = await bootOrThrow(line, flags)
  const { dataDir, tlsCertFile } = kernelOptions
  const own = ['ca', 'serving', 'admin', ...Object.values(frontProxyFiles)].map(name =>
    join(dataDir, 'pki', `${name}.crt`),
  )
  for (const path of tlsCertFile === undefined ? own : [...own, tlsCertFile]) {
    if (!existsSync(path)) {
      line.out(`${path}\n  not there${path === tlsCertFile ? '' : '; the first start of a server makes it'}\n`)
      continue
    }
    const { subject, issuer, validFrom, validTo, subjectAltName } = new X509Certificate(readFileSync(path))
    const daysLeft = Math.floor((Date.parse(validTo) - Date.now()) / dayMs)
    const end = daysLeft < 0 ? 'EXPIRED' : `${daysLeft} days left`
    const lines = [
      `subject  ${oneLine(subject)}`,
      `issuer   ${oneLine(issuer)}`,
      `valid    ${iso(validFrom)} to ${iso(validTo)}, ${end}`,
      ...(subjectAltName === undefined ? [] : [`names    ${subjectAltName}`]),
    ]
    line.out(`${path}\n${lines.map(text => `  ${text}\n`).join('')}`)
  }
  return 0
}

const dayMs = 24 * 3_600_000
const oneLine = (name: string) => name.split('\n').join(', ')
const iso = (time: string) => new Date(time).toISOString()

async function replace(
  name: string,
  action: CertsAction,
  flags: readonly string[],
  line: CommandLine,
): Promise<number> {
  const { kernelOptions, vendor } = await bootOrThrow(line, flags)
  const { dataDir, bindAddress } = kernelOptions
  const folder = join(dataDir, 'pki')
  if (!existsSync(folder)) {
    line.err(`orch: there is no ${folder}; the first start of a server makes it\n`)
    return 1
  }
  const { lockFolder } = await import('../storage/folder-lock.js')
  const release = await lockFolder(dataDir, { role: 'maintenance', what: `orch certs ${name}` })
  try {
    const kept = join(folder, `before-${new Date().toISOString().replace(/[:.]/g, '-')}`)
    makePrivateFolder(kept)
    for (const file of action.replaces) {
      if (existsSync(join(folder, file))) renameSync(join(folder, file), join(kept, file))
    }
    await ensurePki({ dataDir, vendor: vendor.profile, bindAddress, now: Date.now() })
    line.out(`${action.message}\nWhat was there before is in ${kept}.\n`)
    return 0
  } finally {
    await release()
  }
}
