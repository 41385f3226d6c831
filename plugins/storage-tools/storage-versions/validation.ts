import { duplicate, type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import { isDns1035Label, isDns1123Subdomain, isQualifiedName, repeats } from 'orch/sdk/validation'
import type { StorageVersion } from './schema.js'

type Status = StorageVersion['status']
type Server = NonNullable<Status['storageVersions']>[number]
type Conditions = NonNullable<Status['conditions']>

/** A type with its group, such as `apps.deployments`. */
export function checkStorageVersionName(name: string): string[] {
  const dot = name.lastIndexOf('.')
  if (dot < 0) return ['must be in the form of <group>.<resource>']
  return [
    ...isDns1123Subdomain(name.slice(0, dot)).map(text => `the group segment ${text}`),
    ...isDns1035Label(name.slice(dot + 1)).map(text => `the resource segment ${text}`),
  ]
}

export function validateStorageVersionStatus(status: Status, rules: { namesServersOnce: boolean }): FieldError[] {
  const { storageVersions: servers = [], conditions = [] } = status
  const path = 'status.storageVersions'
  const isRepeat = repeats(servers.map(({ apiServerID = '' }) => apiServerID))
  return [
    ...servers.flatMap((server, i) => [
      ...(rules.namesServersOnce && isRepeat[i] ? [duplicate(`${path}[${i}].apiServerID`, server.apiServerID)] : []),
      ...validateServer(server, `${path}[${i}]`),
    ]),
    ...validateCommonVersion(status),
    ...validateConditions(conditions),
  ]
}

function validateServer(server: Server, path: string): FieldError[] {
  const { apiServerID = '', encodingVersion = '', servedVersions = [] } = server
  // A list that was not sent is null.
  const decodableVersions = server.decodableVersions ?? []
  return [
    ...isDns1123Subdomain(apiServerID).map(text => invalidValue(`${path}.apiServerID`, apiServerID, text)),
    ...validateVersion(encodingVersion, `${path}.encodingVersion`),
    ...decodableVersions.flatMap((version, i) => validateVersion(version, `${path}.decodableVersions[${i}]`)),
    ...(decodableVersions.includes(encodingVersion)
      ? []
      : [invalidValue(`${path}.decodableVersions`, decodableVersions, 'must include encodingVersion')]),
    ...servedVersions.flatMap((version, i) => {
      const at = `${path}.servedVersions[${i}]`
      return [
        ...validateVersion(version, at),
        ...(decodableVersions.includes(version) ? [] : [invalidValue(at, version, 'must be in decodableVersions')]),
      ]
    }),
  ]
}

/** A version with its group, if it has one, such as `apps/v1`. All broken rules are one error. */
function validateVersion(value: string, path: string): FieldError[] {
  const parts = value.split('/')
  const [version = '', group] = [...parts].reverse()
  const texts =
    parts.length > 2
      ? ['must be a version with at most one group before it (e.g. example.com/v1)']
      : [
          ...(group === undefined ? [] : isDns1123Subdomain(group).map(text => `group part: ${text}`)),
          ...isDns1035Label(version).map(text => `version part: ${text}`),
        ]
  return texts.length === 0 ? [] : [invalidValue(path, value, texts.join(','))]
}

/** The version that all servers write must be stated; if they differ, none may be. */
function validateCommonVersion({ storageVersions = [], commonEncodingVersion: stated }: Status): FieldError[] {
  const versions = new Set(storageVersions.map(({ encodingVersion = '' }) => encodingVersion))
  const [first] = versions
  const common = versions.size === 1 ? first : undefined
  if (stated === common) return []
  const text = common === undefined ? 'the servers do not agree on a version' : `the common version is ${common}`
  return [invalidValue('status.commonEncodingVersion', stated, text)]
}

/** Errors are reported at an index of the status, as in the reference. */
function validateConditions(conditions: Conditions): FieldError[] {
  const isRepeat = repeats(conditions.map(({ type }) => type))
  return conditions.flatMap(({ type, status, reason, message }, i) => {
    const at = `status[${i}]`
    return [
      ...(isRepeat[i] ? [invalidValue(`${at}.type`, type, 'another condition has this type')] : []),
      ...isQualifiedName(type).map(text => invalidValue(`${at}.type`, type, text)),
      ...isQualifiedName(status).map(text => invalidValue(`${at}.status`, status, text)),
      ...(reason === '' ? [requiredValue(`${at}.reason`)] : []),
      ...(message === '' ? [requiredValue(`${at}.message`)] : []),
    ]
  })
}
