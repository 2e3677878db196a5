/** A device on the plan of a floor. */
export interface PlanSpot {
  device_id: number;
  /** Percent of the image's width and height, from the upper left. */
  x: number;
  y: number;
}

/** More are no plan any more. */
export const MOST_PLAN_SPOTS = 200;

const percent = { type: 'number', minimum: 0, maximum: 100 } as const;

/** JSON schema of the devices on a plan. */
export const planSpotsSchema = {
  type: 'array',
  maxItems: MOST_PLAN_SPOTS,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['device_id', 'x', 'y'],
    properties: { device_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, x: percent, y: percent },
  },
} as const;
