import { type Static, Type } from 'orch/sdk'

const duration = (value: string, description: string) =>
  Type.String({ format: 'duration', default: value, description })

export const DisruptionOptions = Type.Object({
  terminatedPodGcThreshold: Type.Integer({
    minimum: 0,
    default: 12_500,
    description: 'How many Pods that have ended are kept; beyond it the oldest are deleted. 0 keeps all of them.',
  }),
  nodeMonitorPeriod: duration('5s', 'How often to check whether nodes still report.'),
  nodeMonitorGracePeriod: Type.Optional(
    Type.String({
      format: 'duration',
      description:
        'How long a node may be silent before its state is Unknown. By default 50s, or 40s at versions before 1.32; never less than its lease lasts.',
    }),
  ),
  nodeStartupGracePeriod: duration('1m', 'How long a new node may take to report for the first time.'),
  nodeEvictionRate: Type.Number({
    minimum: 0,
    default: 0.1,
    description: 'Of how many nodes a second, in each zone, Pods may be evicted when nodes fail.',
  }),
  secondaryNodeEvictionRate: Type.Number({
    minimum: 0,
    default: 0.01,
    description: 'The same in a large zone most of which has failed; in a small one nothing is evicted then.',
  }),
  unhealthyZoneThreshold: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.55,
    description: 'The share of nodes from which on most of a zone has failed, if they are three or more.',
  }),
  largeClusterSizeThreshold: Type.Integer({
    minimum: 0,
    default: 50,
    description: 'From more nodes than this on a zone is large.',
  }),
})
export type DisruptionOptions = Static<typeof DisruptionOptions>
