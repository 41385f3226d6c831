import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Finding, wrong } from '../finding.js'
import { checkCertificates, checkPair } from './certificates.js'

/** The flag of an option: `tlsCertFile` is `--tls-cert-file`. */
const flagOf = (key: string) => `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

/** Files that the server writes. */
const written = ['readyFile']
/** Files whose options are named otherwise. What is in that of encryption is looked at where the store is. */
const alsoFiles = ['authenticationConfig', 'authorizationConfig']

/** Every file that an option names must be there; certificates in it must be valid. */
export function checkOptionFiles(
  options: Readonly<Record<string, unknown>>,
  workingDir: string,
  now: number,
): Finding[] {
  const findings = Object.entries(options)
    .filter(([key]) => (/File$/.test(key) && !written.includes(key)) || alsoFiles.includes(key))
    .flatMap(([key, value]) => [value].flat().map(name => [key, name] as const))
    .flatMap(([key, name]) => (typeof name === 'string' ? checkFile(flagOf(key), resolve(workingDir, name), now) : []))
  const { tlsCertFile, tlsPrivateKeyFile } = options
  if (typeof tlsCertFile !== 'string' || typeof tlsPrivateKeyFile !== 'string' || !findings.every(isNotWrong))
    return findings
  const [certificate, key] = [resolve(workingDir, tlsCertFile), resolve(workingDir, tlsPrivateKeyFile)]
  return [...findings, ...checkPair(certificate, key, 'Name the key that belongs to the certificate')]
}
const isNotWrong = ({ grade }: Finding) => grade !== 'wrong'

function checkFile(flag: string, path: string, now: number): Finding[] {
  try {
    if (!statSync(path).isFile()) return [wrong(`${flag} ${path} is not a file`, `Name a file with ${flag}`)]
    const owner = { remedy: `Put a new one there; ${flag} names it`, renewsItself: false }
    return checkCertificates(`${flag} ${path}`, readFileSync(path, 'utf8'), owner, now)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EACCES' ? 'may not be read' : `fails: ${message}`
    return [wrong(`${flag} ${path} ${why}`, `Correct ${flag}, or the file`)]
  }
}
