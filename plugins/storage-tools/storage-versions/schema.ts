import {
  embedded,
  field,
  Int64,
  Kind,
  ListOf,
  MapList,
  type ObjectOf,
  required,
  SetList,
  Struct,
  Text,
  Time,
} from 'orch/sdk'

const ServerStorageVersion = Struct(
  'apiserverinternal.v1alpha1.ServerStorageVersion',
  {
    apiServerID: field(1, Text(), { description: 'The server.', presence: 'always' }),
    encodingVersion: field(2, Text(), { description: 'The version in which it stores objects.', presence: 'always' }),
    decodableVersions: field(3, SetList(Text()), { description: 'The versions that it can read.', presence: 'always' }),
    servedVersions: field(4, SetList(Text()), { description: 'The versions that it serves.', since: '1.28' }),
  },
  { description: 'The versions of a type that one server reads and writes.' },
)
const StorageVersionCondition = Struct(
  'apiserverinternal.v1alpha1.StorageVersionCondition',
  {
    type: required(1, Text(), 'Type of the condition.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    observedGeneration: field(3, Int64(), 'The generation it was observed at.'),
    lastTransitionTime: embedded(4, Time(), 'When the status last changed.'),
    reason: required(5, Text(), 'Machine-readable reason in one word.'),
    message: required(6, Text(), 'Human-readable message.'),
  },
  { description: 'Something observed about the versions of a type.' },
)
export const StorageVersion = Kind(
  'apiserverinternal.v1alpha1.StorageVersion',
  {
    spec: required(2, Struct('apiserverinternal.v1alpha1.StorageVersionSpec', {}, { description: 'Empty.' }), 'Empty.'),
    status: embedded(
      3,
      Struct(
        'apiserverinternal.v1alpha1.StorageVersionStatus',
        {
          storageVersions: field(1, MapList(ServerStorageVersion, 'apiServerID'), 'The versions of each server.'),
          commonEncodingVersion: field(2, Text(), {
            description: 'The version in which all servers store objects, if they agree.',
            presence: 'keep',
          }),
          conditions: field(
            3,
            ListOf(StorageVersionCondition, { listType: 'map', listMapKeys: ['type'] }),
            'Conditions of the versions.',
          ),
        },
        { description: 'In which versions servers store a type.' },
      ),
      'Observed state. Written by the servers.',
    ),
  },
  { description: 'In which versions the servers of a store read and write a type.' },
)
export type StorageVersion = ObjectOf<typeof StorageVersion>
