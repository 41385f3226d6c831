import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseDuration } from 'orch/sdk'
import { type Finding, wrong } from '../finding.js'
import { checkCertificates, checkPair } from './certificates.js'

/** The flag of an option: `tlsCertFile` is `--tls-cert-file`. */
const flagOf = (key: string) => `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

/** Files that the server writes. */
const written = ['readyFile']
/** Options for files that do not end with File. The file for encryption is checked with the store. */
const alsoFiles = ['authenticationConfig', 'authorizationConfig']

/** Every file that an option names must exist; certificates in it must be valid. */
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
/** Checks the folder of scheduled backups, if they are enabled. */
export function checkBackupFolder(
  { backupInterval, backupDir }: Readonly<Record<string, unknown>>,
  dataDir: string,
  workingDir: string,
): Finding[] {
  const isOn = typeof backupInterval === 'string' && parseDuration(backupInterval) > 0
  const folder = typeof backupDir === 'string' ? resolve(workingDir, backupDir) : join(dataDir, 'backups')
  if (!isOn || !existsSync(folder)) return []
  if (!statSync(folder).isDirectory())
    return [wrong(`${folder}, where backups go, is not a folder`, 'Move it away, or name a folder with --backup-dir')]
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return []
  } catch {
    return [wrong(`${folder}, where backups go, cannot be written`, 'Change its owner or its mode, or --backup-dir')]
  }
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
