import { type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import { oldestEmulationVersion, validateElectionStrategy } from '../lease-strategies.js'
import type { LeaseCandidate } from './schema.js'
import { compareVersions, isZeroVersion, parseVersion } from './semantic-version.js'

export function validateCandidate({ spec }: LeaseCandidate): FieldError[] {
  const { leaseName, binaryVersion, emulationVersion = '', strategy } = spec
  const errors: FieldError[] = leaseName === '' ? [requiredValue('spec.leaseName')] : []
  const emulated = parseVersion(emulationVersion)
  if (emulationVersion !== '' && !emulated) errors.push(notSemantic('spec.emulationVersion', emulationVersion))
  const binary = parseVersion(binaryVersion)
  if (binaryVersion === '') errors.push(requiredValue('spec.binaryVersion'))
  else if (!binary) errors.push(notSemantic('spec.binaryVersion', binaryVersion))
  if (emulated && compareVersions(binary, emulated) < 0 && binaryVersion !== '')
    errors.push(
      invalidValue('spec.binaryVersion', binaryVersion, 'must be greater than or equal to `emulationVersion`'),
    )
  if (strategy === '') return [...errors, requiredValue('spec.strategy')]
  if (strategy === oldestEmulationVersion && isZeroVersion(emulated))
    errors.push(requiredValue('spec.emulationVersion', "must be specified when `strategy` is 'OldestEmulationVersion'"))
  return [...errors, ...validateElectionStrategy(strategy, 'spec.strategy.strategy')]
}

const notSemantic = (path: string, value: string) => invalidValue(path, value, 'must be a valid semantic version')

export const validateCandidateUpdate = (sent: LeaseCandidate, stored: LeaseCandidate): FieldError[] => [
  ...validateCandidate(sent),
  ...(sent.spec.leaseName === stored.spec.leaseName
    ? []
    : [invalidValue('spec.leaseName', sent.spec.leaseName, 'field is immutable')]),
]
