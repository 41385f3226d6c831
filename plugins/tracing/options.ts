import { type Static, Type } from 'orch/sdk'

export const TracingOptions = Type.Object({
  tracingEndpoint: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Where traces of requests are sent, by OTLP over HTTP: host:port, or a URL. None by default.',
    }),
  ),
  tracingSamplingRatePerMillion: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description:
      'Number of requests in a million that are traced. Of requests with a traceparent, only sampled ones are considered.',
  }),
  tracingTrustClients: Type.Boolean({
    default: false,
    description: 'Trace every request whose traceparent has the sampled flag, whatever the rate.',
  }),
  tracingConfigFile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'A TracingConfiguration: endpoint and samplingRatePerMillion in a file.',
    }),
  ),
})
export type TracingOptions = Static<typeof TracingOptions>
