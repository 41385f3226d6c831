import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CertificateAction,
  certificateActions,
  NothingToReplace,
  replaceCertificates,
} from '../pki/certificate-actions.js'
import { frontProxyFiles } from '../pki/front-proxy.js'
import { certificatesIn } from '../pki/rotated-authority.js'
import { bootOrThrow } from './boot-from-argv.js'
import type { Command, CommandLine } from './command-line.js'

const words = ['show', ...Object.keys(certificateActions)]

/** `orch certs ...`: shows certificates, and renews those that a server does not renew automatically. */
export const certsCommand: Command = {
  name: 'certs',
  usage: `certs ${words.join('|')} [flags]`,
  summary: 'Show certificates, or renew them or the CA, while no server is running. Replaced files are retained.',
  async run(line) {
    const [name = '', ...flags] = line.words
    if (name === 'show') return show(flags, line)
    const action = Object.hasOwn(certificateActions, name) ? certificateActions[name] : undefined
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
      line.out(`${path}\n  not found${path === tlsCertFile ? '' : '; the first start of a server creates it'}\n`)
      continue
    }
    line.out(`${path}\n${shownIn(readFileSync(path, 'utf8')).join('\n')}`)
  }
  return 0
}

/** A description of each certificate in a file. */
function shownIn(pem: string): string[] {
  const certificates = certificatesIn(pem)
  if (certificates.length === 0) return ['  contains no certificate\n']
  return certificates.map(each => {
    try {
      return linesOf(new X509Certificate(each))
    } catch {
      return '  cannot be read: it is damaged\n'
    }
  })
}
function linesOf({ subject, issuer, validFrom, validTo, subjectAltName }: X509Certificate): string {
  const daysLeft = Math.floor((Date.parse(validTo) - Date.now()) / dayMs)
  const end = daysLeft < 0 ? 'EXPIRED' : Date.parse(validFrom) > Date.now() ? 'NOT YET VALID' : `${daysLeft} days left`
  const lines = [
    `subject  ${oneLine(subject)}`,
    `issuer   ${oneLine(issuer)}`,
    `valid    ${iso(validFrom)} to ${iso(validTo)}, ${end}`,
    ...(subjectAltName === undefined ? [] : [`names    ${subjectAltName}`]),
  ]
  return lines.map(text => `  ${text}\n`).join('')
}

const dayMs = 24 * 3_600_000
const oneLine = (name: string) => name.split('\n').join(', ')
const iso = (time: string) => new Date(time).toISOString()

async function replace(
  name: string,
  action: CertificateAction,
  flags: readonly string[],
  line: CommandLine,
): Promise<number> {
  const { kernelOptions, vendor } = await bootOrThrow(line, flags)
  const { dataDir, bindAddress } = kernelOptions
  const folder = join(dataDir, 'pki')
  if (!existsSync(folder)) {
    line.err(`orch: there is no ${folder}; the first start of a server creates it\n`)
    return 1
  }
  const { lockFolder } = await import('../storage/folder-lock.js')
  const release = await lockFolder(dataDir, { role: 'maintenance', what: `orch certs ${name}` })
  try {
    const kept = await replaceCertificates(action, { dataDir, vendor: vendor.profile, bindAddress, now: Date.now() })
    line.out(`${action.message}\nThe previous files are in ${kept}.\n`)
    return 0
  } catch (error) {
    if (!(error instanceof NothingToReplace)) throw error
    line.out(`Nothing was changed: ${error.message}.\n`)
    return 0
  } finally {
    await release()
  }
}
