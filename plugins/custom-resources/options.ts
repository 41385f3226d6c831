import { type Static, Type } from 'orch/sdk'
import { defaultMaxWork } from './schemas/work.js'

export const CustomResourceOptions = Type.Object({
  maxValidationWork: Type.Integer({
    minimum: 1_000_000,
    default: defaultMaxWork,
    description:
      'Limit of the work for the validation of one custom object, in units of at most 25 ns: values times the branches that they are checked against, characters times the size of patterns. Definitions that allow more are rejected.',
  }),
  maxValidationCpuTime: Type.String({
    format: 'duration',
    default: '10s',
    description: 'Limit of the CPU time for the validation of one custom object or definition.',
  }),
})
export type CustomResourceOptions = Static<typeof CustomResourceOptions>
