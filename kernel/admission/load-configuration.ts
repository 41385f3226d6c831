import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type AdmissionConfiguration, isRecord, type Vendor } from 'orch/sdk'
import { readYaml } from 'orch/sdk/files'
import { errorMessage } from '../contracts/boot-errors.js'
import { nearestName } from '../contracts/nearest-name.js'

interface ControlConfiguration {
  readonly configuration: unknown
  /** The folder that relative paths are resolved from. */
  readonly folder: string
}

/** The configuration of each control, and one message for every problem of the file. */
export interface LoadedConfiguration {
  readonly configuration: AdmissionConfiguration
  readonly problems: readonly string[]
}

/** Reads --admission-control-config-file. Reports all problems at once, so that one restart fixes them all. */
export function loadConfiguration(
  file: string | undefined,
  vendor: Vendor,
  knownControls: readonly string[],
): LoadedConfiguration {
  const controls = new Map<string, ControlConfiguration>()
  const problems: string[] = []
  if (file !== undefined) {
    const path = resolve(file)
    for (const entry of entriesOf(path, vendor, problems)) {
      const name = readControlName(entry, knownControls, controls, problems)
      const found = name === undefined ? undefined : configurationOf(name, entry, dirname(path), problems)
      if (name !== undefined && found) controls.set(name, found)
    }
  }
  const configuration: AdmissionConfiguration = {
    of: name => controls.get(name)?.configuration,
    pathFor: (name, wanted) => resolve(controls.get(name)?.folder ?? '.', wanted),
  }
  return { configuration, problems }
}

function readFile(path: string, problems: string[]): unknown {
  try {
    return readYaml(readFileSync(path, 'utf8')).documents[0]
  } catch (thrown) {
    problems.push(`"${path}" cannot be read: ${errorMessage(thrown)}`)
    return undefined
  }
}

function entriesOf(path: string, vendor: Vendor, problems: string[]): readonly unknown[] {
  const before = problems.length
  const content = readFile(path, problems)
  if (problems.length > before) return []
  const { apiVersion, kind, plugins } = isRecord(content) ? content : {}
  const versions = [`${vendor.group('apiserver.config')}/v1`, `${vendor.group('apiserver')}/v1alpha1`]
  if (kind !== 'AdmissionConfiguration' || !versions.includes(String(apiVersion))) {
    problems.push(`"${path}" must be of kind AdmissionConfiguration and apiVersion ${versions[0]}`)
    return []
  }
  if (plugins === undefined || plugins === null) return []
  if (Array.isArray(plugins)) return plugins
  problems.push(`plugins in "${path}" must be a list`)
  return []
}

function readControlName(
  entry: unknown,
  known: readonly string[],
  seen: ReadonlyMap<string, unknown>,
  problems: string[],
): string | undefined {
  const name = isRecord(entry) ? entry['name'] : undefined
  if (typeof name !== 'string' || name === '') problems.push('every entry of plugins needs a name')
  else if (!known.includes(name)) {
    const nearest = nearestName(name, known)
    problems.push(`there is no admission control "${name}"${nearest ? `, did you mean "${nearest}"` : ''}`)
  } else if (seen.has(name)) problems.push(`"${name}" is configured twice`)
  else return name
  return undefined
}

function configurationOf(
  name: string,
  entry: unknown,
  folder: string,
  problems: string[],
): ControlConfiguration | undefined {
  const { configuration, path } = entry as Record<string, unknown>
  if (configuration !== undefined && configuration !== null) return { configuration, folder }
  if (path === undefined || path === '') return undefined
  if (typeof path !== 'string') {
    problems.push(`the path of "${name}" must be a text`)
    return undefined
  }
  const file = resolve(folder, path)
  const content = readFile(file, problems)
  return content === undefined ? undefined : { configuration: content, folder: dirname(file) }
}
