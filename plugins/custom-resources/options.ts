import { type Static, Type } from 'orch/sdk'
import { defaultMaxWork } from './schemas/work.js'

export const CustomResourceOptions = Type.Object({
  maxValidationWork: Type.Integer({
    minimum: 1_000_000,
    default: defaultMaxWork,
    description:
      'Work that the validation of one custom object may take, in units of about 25 ns at worst: values times the branches that they are checked against, characters times the size of patterns. Definitions that allow more are rejected.',
  }),
  maxValidationCpuTime: Type.String({
    format: 'duration',
    default: '10s',
    description: 'CPU time that the validation of one custom object or definition may take.',
  }),
})
export type CustomResourceOptions = Static<typeof CustomResourceOptions>
