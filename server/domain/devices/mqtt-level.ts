/** MQTT 3.1.1, as its packets name it: by which every device is connected. */
export const MQTT_LEVEL = 4;
