import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { CommandContext, CommandDefinition } from 'orch/sdk'
import type { CommandHost } from 'orch/sdk/host'
import { checkOwnCertificates } from './checks/certificates.js'
import { checkDataFolder } from './checks/data-folder.js'
import { checkDisk, checkNode, checkOpenFiles, diskSpaceAt } from './checks/machine.js'
import { checkBackupFolder, checkOptionFiles } from './checks/option-files.js'
import { checkPort } from './checks/port.js'
import { checkSigningKeys } from './checks/signing-keys.js'
import { checkStore } from './checks/store.js'
import { type Finding, fine, lineOf, wrong } from './finding.js'

const deepFlag = '--deep'

/** `orch doctor`: checks everything that a start depends on, without changing anything, and reports problems with their remedies. */
export const doctorCommand: CommandDefinition = {
  name: 'doctor',
  usage: `doctor [${deepFlag}] [flags of orch serve]`,
  summary:
    'Check config, flags, data folder, certificates, store, port and disk without changing anything, and report problems with their remedies. --deep reads every object.',
  async run(argv, context) {
    const counts = { fine: 0, warning: 0, wrong: 0 }
    const say = (findings: readonly Finding[]) => {
      for (const finding of findings) {
        counts[finding.grade]++
        context.out(lineOf(finding))
      }
    }
    for await (const findings of examine(argv, context)) say(findings)
    context.out(`${counts.wrong} wrong, ${counts.warning} warnings, ${counts.fine} fine\n`)
    return counts.wrong > 0 ? 1 : 0
  },
}

async function* examine(
  argv: readonly string[],
  { host, workingDir }: CommandContext,
): AsyncGenerator<readonly Finding[]> {
  const flags = argv.filter(word => word !== deepFlag)
  yield [checkNode(process.version), ...checkOpenFiles(textOf('/proc/self/limits'))]

  const { configPath, options, problems } = await host.inspect(flags)
  yield problems.length === 0
    ? [fine(`the config ${configPath} and all flags can be used`)]
    : problems.map(({ code, message }) => ({ grade: 'wrong', what: `${message} (${code})` }))

  const dataDir = resolve(workingDir, String(options['dataDir'] ?? 'data'))
  yield checkDataFolder(dataDir, process.getuid?.())
  yield checkDisk(dataDir, diskSpaceAt(dataDir))
  yield checkOwnCertificates(dataDir, Date.now())
  yield checkSigningKeys(dataDir, options)
  yield checkOptionFiles(options, workingDir, Date.now())
  yield checkBackupFolder(options, dataDir, workingDir)

  const { maintenance } = await host.locateStore(['--data-dir', dataDir, ...engineWords(options)])
  const store = maintenance
    ? await checkStore(dataDir, maintenance, argv.includes(deepFlag))
    : { findings: [], serverPid: undefined }
  yield store.findings
  if (problems.length === 0 && store.findings.every(({ grade }) => grade !== 'wrong'))
    yield await checkContents(host, flags)
  const port = Number(options['securePort'])
  const given = options['tlsCertFile']
  const certificateFile = typeof given === 'string' ? resolve(workingDir, given) : join(dataDir, 'pki/serving.crt')
  const known = { pid: store.serverPid, certificateFile }
  if (port > 0) yield [await checkPort(String(options['bindAddress']), port, known)]
}

/** Checks the contents of the store, and its layers. */
async function checkContents(host: CommandHost, flags: readonly string[]): Promise<readonly Finding[]> {
  try {
    return await host.examineStore(flags)
  } catch (error) {
    return [wrong(`the store cannot be opened: ${(error as Error).message}`, 'Fix the reported problem')]
  }
}

const engineWords = ({ storageEngine }: Readonly<Record<string, unknown>>): string[] =>
  typeof storageEngine === 'string' ? ['--storage-engine', storageEngine] : []

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}
