import { ageColumn, type Column, defineResource, nameColumn, type Strategy } from 'orch/sdk'
import { Secret } from 'orch/sdk/core'
import { keyPairWarnings } from '../differences.js'
import type { ConfigurationNames } from '../names.js'
import { mergeStringData } from './defaults.js'
import { keyPairProblem } from './key-pair.js'
import { typeRules } from './type-rules.js'
import { validateSecret, validateSecretUpdate } from './validation.js'

function mainStrategy(names: ConfigurationNames) {
  const rules = typeRules(names)
  return {
    validate: secret => validateSecret(secret, rules),
    validateUpdate: (sent, stored) => validateSecretUpdate(sent, stored, rules),
    warnings: (secret, _, { vendor }) => {
      if (secret.type !== names.tls || !vendor.level.has(keyPairWarnings)) return []
      const problem = keyPairProblem(secret)
      return problem === undefined ? [] : [problem]
    },
  } satisfies Strategy<Secret>
}

const columns: readonly Column<Secret>[] = [
  nameColumn,
  { name: 'Type', type: 'string', description: 'What the data is for.', cell: ({ type = '' }) => type },
  {
    name: 'Data',
    type: 'string',
    description: 'Number of entries in data.',
    cell: ({ data = {} }) => Object.keys(data).length,
  },
  ageColumn,
]

export const secrets = (names: ConfigurationNames) =>
  defineResource({
    group: '',
    kind: 'Secret',
    resource: 'secrets',
    namespaced: true,
    versions: [{ name: 'v1', schema: Secret, defaults: mergeStringData }],
    strategy: mainStrategy(names),
    selectableFields: { type: ({ type = '' }: Secret) => type },
    columns,
    sensitive: true,
  })
