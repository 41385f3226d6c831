import { defineDifference } from 'orch/sdk'

export const borrowing = defineDifference({
  name: 'priority-levels-borrow',
  since: '1.26',
  description: 'Priority levels lend and borrow seats (lendablePercent, borrowingLimitPercent).',
  knownFrom: 'recorded',
  additive: true,
})
export const exemptShares = defineDifference({
  name: 'exempt-priority-levels-lend',
  since: '1.28',
  description: 'The exempt priority level has its own shares and can lend them (spec.exempt).',
  knownFrom: 'source',
  additive: true,
})
export const nominalShares = defineDifference({
  name: 'tables-show-nominal-shares',
  since: '1.26',
  description: 'Tables of priority levels show NominalConcurrencyShares instead of AssuredConcurrencyShares.',
  knownFrom: 'recorded',
})
export const typesAreRequired = defineDifference({
  name: 'missing-types-of-priority-levels-are-required',
  since: '1.36',
  description: 'A missing type of a priority level or limit response is Required rather than NotSupported.',
  knownFrom: 'source',
})
export const zeroShares = defineDifference({
  name: 'priority-levels-may-have-no-shares',
  since: '1.30',
  description: 'A limited priority level may have 0 shares. In 1.29 one that has none already may keep it.',
  knownFrom: 'source',
  additive: true,
})
export const zeroSharesSurviveOlderVersions = defineDifference({
  name: 'priority-levels-keep-zero-shares-in-v1beta3',
  since: '1.29',
  description: 'An annotation distinguishes 0 shares of a priority level from shares that are not set in v1beta3.',
  knownFrom: 'source',
  additive: true,
})

export const withoutElectionsByConfigMap = defineDifference({
  name: 'no-flow-schemas-for-old-elections',
  since: '1.34',
  description:
    'There is no built-in flow schema workload-leader-election, because leader election no longer uses ConfigMaps and Endpoints.',
  knownFrom: 'recorded',
})
export const endpointController = defineDifference({
  name: 'flow-schema-of-endpoint-controller',
  since: '1.24',
  until: '1.33',
  description: 'The endpoint controller has its own flow schema.',
  knownFrom: 'recorded',
})
export const systemElectionsByLease = defineDifference({
  name: 'system-elections-by-lease',
  since: '1.24',
  description: 'The flow schema system-leader-election covers only Leases.',
  knownFrom: 'recorded',
})

export const differences = [
  borrowing,
  exemptShares,
  nominalShares,
  typesAreRequired,
  zeroShares,
  zeroSharesSurviveOlderVersions,
  withoutElectionsByConfigMap,
  endpointController,
  systemElectionsByLease,
]
