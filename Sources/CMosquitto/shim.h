// libmosquitto: a client of MQTT brokers.
#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
