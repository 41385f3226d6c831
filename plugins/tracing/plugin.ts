import { definePlugin, defineService, defineStartTask, services, serviceToken } from 'orch/sdk'
import { requestTracer } from 'orch/sdk/server'
import { LateTracer } from './late-tracer.js'
import { TracingOptions } from './options.js'
import { tracingSettings } from './settings.js'

const lateTracer = serviceToken<LateTracer>('lateTracer')

/** Traces of requests for OpenTelemetry. Nothing is loaded without an endpoint. */
export const tracing = definePlugin({
  name: 'tracing',
  options: TracingOptions,
  register(to, { vendor, options }) {
    if (options.tracingEndpoint === undefined && options.tracingConfigFile === undefined) return
    to.service(
      defineService({ token: lateTracer, create: () => new LateTracer() }),
      defineService({ token: requestTracer, needs: { tracer: lateTracer }, create: ({ tracer }) => tracer }),
    )
    to.onStart(
      defineStartTask({
        name: 'trace',
        needs: { tracer: lateTracer, logger: services.logger, metrics: services.metrics },
        async run({ tracer, logger, metrics }) {
          const settings = await tracingSettings(options, vendor)
          const { OpenTelemetryTracer } = await import('./open-telemetry-tracer.js')
          const actual = new OpenTelemetryTracer({ ...settings, vendor, logger, metrics })
          tracer.use(actual)
          return () => actual.close()
        },
      }),
    )
  },
})
