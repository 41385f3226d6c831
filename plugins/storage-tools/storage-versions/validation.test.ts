import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { StorageVersion } from './schema.js'
import { checkStorageVersionName, validateStorageVersionStatus } from './validation.js'

type Status = StorageVersion['status']
const versions = suite('storage versions')
const server = (apiServerID: string, encodingVersion = 'apps/v1', more: readonly string[] = []) => ({
  apiServerID,
  encodingVersion,
  decodableVersions: [encodingVersion, ...more],
})
const condition = { type: 'A', status: 'True', reason: 'R', message: 'M' }
const wrongIn = (status: Status, namesServersOnce = true) =>
  validateStorageVersionStatus(status, { namesServersOnce }).map(({ type, field }) => `${type.slice(10)} ${field}`)

const cases: Record<string, [status: Status, ...wrong: string[]]> = {
  'may be unknown': [{}],
  'are common to all servers': [
    { storageVersions: [server('a'), server('b')], commonEncodingVersion: 'apps/v1', conditions: [condition] },
  ],
  'are not stated as common to no servers': [{ commonEncodingVersion: 'v1' }, 'Invalid status.commonEncodingVersion'],
  'are not stated as common if servers differ': [
    { storageVersions: [server('a'), server('b', 'v2')], commonEncodingVersion: 'v2' },
    'Invalid status.commonEncodingVersion',
  ],
  'are stated if they are common': [{ storageVersions: [server('a')] }, 'Invalid status.commonEncodingVersion'],
  'name each server once': [
    { storageVersions: [server('a'), server('a')], commonEncodingVersion: 'apps/v1' },
    'Duplicate status.storageVersions[1].apiServerID',
  ],
  'name servers and versions': [
    { storageVersions: [server('A', 'a/b/c', ['Apps/v1', '/v1'])], commonEncodingVersion: 'a/b/c' },
    'Invalid status.storageVersions[0].apiServerID',
    'Invalid status.storageVersions[0].encodingVersion',
    'Invalid status.storageVersions[0].decodableVersions[0]',
    'Invalid status.storageVersions[0].decodableVersions[1]',
    'Invalid status.storageVersions[0].decodableVersions[2]',
  ],
  'can be read where they are written or served': [
    {
      storageVersions: [{ ...server('a'), decodableVersions: ['v2'], servedVersions: ['v1', 'v2'] }],
      commonEncodingVersion: 'apps/v1',
    },
    'Invalid status.storageVersions[0].decodableVersions',
    'Invalid status.storageVersions[0].servedVersions[0]',
  ],
  'have complete conditions, one of each type': [
    { conditions: [condition, { ...condition, status: '!', reason: '', message: '' }] },
    'Invalid status[1].type',
    'Invalid status[1].status',
    'Required status[1].reason',
    'Required status[1].message',
  ],
}
for (const [title, [status, ...wrong]] of Object.entries(cases))
  versions(title, () => assert.equal(wrongIn(status), wrong))

versions('may name a server twice in older versions', () => {
  const status = { storageVersions: [server('a'), server('a')], commonEncodingVersion: 'apps/v1' }
  assert.equal(wrongIn(status, false), [])
})

versions('have the name of a type with its group', () => {
  const names = ['apps.deployments', 'a.example.com.things', 'pods', 'Apps.deployments', 'apps.1']
  assert.equal(
    names.map(name => checkStorageVersionName(name).length > 0),
    [false, false, true, true, true],
  )
})

versions.run()
