import { type Static, Type } from 'orch/sdk'

const duration = (value: string, description: string) =>
  Type.String({ format: 'duration', default: value, description })

export const DisruptionOptions = Type.Object({
  terminatedPodGcThreshold: Type.Integer({
    minimum: 0,
    default: 12_500,
    description: 'How many finished Pods are kept; above that, the oldest are deleted. 0 keeps all of them.',
  }),
  nodeMonitorPeriod: duration('5s', 'How often to check whether nodes still report.'),
  nodeMonitorGracePeriod: Type.Optional(
    Type.String({
      format: 'duration',
      description:
        'How long a node may fail to report before its state is Unknown. By default 50s, or 40s at versions before 1.32; at least the duration of its lease.',
    }),
  ),
  nodeStartupGracePeriod: duration('1m', 'How long a new node may take to report for the first time.'),
  nodeEvictionRate: Type.Number({
    minimum: 0,
    default: 0.1,
    description: 'From how many nodes per second, in each zone, Pods are evicted when nodes fail.',
  }),
  secondaryNodeEvictionRate: Type.Number({
    minimum: 0,
    default: 0.01,
    description: 'The same in a large zone most of which has failed; in a small one, no Pods are evicted.',
  }),
  unhealthyZoneThreshold: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.55,
    description: 'Fraction of failed nodes, if at least three, from which most of a zone counts as failed.',
  }),
  largeClusterSizeThreshold: Type.Integer({
    minimum: 0,
    default: 50,
    description: 'A zone with more nodes than this is large.',
  }),
})
export type DisruptionOptions = Static<typeof DisruptionOptions>
