/** A sparkline of the last values, with the latest one as a number. */

interface Props {
  readonly title: string
  readonly values: readonly (number | undefined)[]
  readonly format: (value: number) => string
  /** The number of values that the full width represents. */
  readonly length: number
}
const [width, height] = [240, 56]

export function Chart({ title, values, format, length }: Props) {
  const known = values.filter(value => value !== undefined)
  const top = known.reduce((most, value) => Math.max(most, value), 0) || 1
  const last = known.at(-1)
  const x = (at: number) => width - ((values.length - 1 - at) / (length - 1)) * width
  const y = (value: number) => height - 3 - (value / top) * (height - 8)
  const points = values.flatMap((value, at) => (value === undefined ? [] : [[x(at), y(value)] as const]))
  const line = points.map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${px.toFixed(1)} ${py.toFixed(1)}`).join(' ')
  const area = points.length > 1 ? `${line} L${width} ${height} L${points[0]![0].toFixed(1)} ${height} Z` : ''
  return (
    <figure class="chart">
      <figcaption>
        <span class="muted">{title}</span>
        <strong>{last === undefined ? '–' : format(last)}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="area" d={area} />
        <path class="line" d={line} />
      </svg>
    </figure>
  )
}
